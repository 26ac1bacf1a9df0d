const SHOWN = 12;

/** The beginning of a SHA-256, with all of it as the tooltip. */
export function Checksum({ sha256 }: { sha256: string }) {
  return (
    <span className="code" title={sha256}>
      {sha256.slice(0, SHOWN)}…
    </span>
  );
}
