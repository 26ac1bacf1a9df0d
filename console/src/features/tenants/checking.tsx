import { Spinner } from '../../components/spinner.tsx';

/** Says what is being found out. */
export function Checking({ label }: { label: string }) {
  return (
    <p className="checking" role="status">
      <Spinner />
      {label}
    </p>
  );
}
