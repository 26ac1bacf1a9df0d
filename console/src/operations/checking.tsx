import { Spinner } from '../components/waiting/spinner.tsx';

/** Says what is being found out. */
export function Checking({ label }: { label: string }) {
  return (
    <p className="checking" role="status">
      <Spinner />
      {label}
    </p>
  );
}
