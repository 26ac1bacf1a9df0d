import { useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

type StrengthOf = typeof import('../../lib/password-strength.ts').strengthOf;

const LEVELS = ['veryWeak', 'weak', 'fair', 'good', 'strong'] as const;
const HIGHEST = LEVELS.length - 1;

interface PasswordStrengthProps {
  password: string;
  /** Words that make a password with them easy to guess, such as the name of its user. */
  related?: readonly string[];
}

/** How well a new password withstands guessing, as a bar and in words. It advises; the form's rules decide. */
export function PasswordStrength({ password, related = [] }: PasswordStrengthProps) {
  const { t } = useTranslation();
  const strengthOf = useStrength(password !== '');
  const typed = useDeferredValue(password);
  if (!strengthOf || typed === '') return null;
  const score = Math.min(strengthOf(typed, related), HIGHEST);
  const words = t(`components.password.strength.${LEVELS[score] ?? 'veryWeak'}`);
  return (
    <div className="password-strength">
      <meter
        aria-label={t('components.password.strength.label')}
        aria-valuetext={words}
        min={0}
        low={2}
        high={3}
        optimum={HIGHEST}
        max={HIGHEST}
        value={score}
      />
      <span aria-hidden="true">{words}</span>
    </div>
  );
}

/** The measure, loaded with the first character, as its dictionary is large. Without it there is no bar. */
function useStrength(isWanted: boolean): StrengthOf | undefined {
  const [loaded, setLoaded] = useState<{ strengthOf: StrengthOf }>();
  useEffect(() => {
    if (!isWanted) return;
    let isMounted = true;
    import('../../lib/password-strength.ts').then(
      ({ strengthOf }) => isMounted && setLoaded({ strengthOf }),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, [isWanted]);
  return loaded?.strengthOf;
}
