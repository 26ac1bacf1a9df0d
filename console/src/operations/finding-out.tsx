import { Spinner } from '../components/waiting/spinner.tsx';

/** What a dialog is finding out before it can go on. */
export function FindingOut({ text }: { text: string }) {
  return (
    <p className="database-checking" role="status">
      <Spinner />
      {text}
    </p>
  );
}
