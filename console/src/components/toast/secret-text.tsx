import { CopyButton } from './copy-button.tsx';

interface SecretTextProps {
  label: string;
  copyLabel: string;
  text: string;
}

/** A text that is shown only here, such as a password, with a button that copies it. */
export function SecretText({ label, copyLabel, text }: SecretTextProps) {
  return (
    <section className="secret-text" aria-label={label}>
      <h3>{label}</h3>
      <div>
        <code>{text}</code>
        <CopyButton label={copyLabel} text={text} />
      </div>
    </section>
  );
}
