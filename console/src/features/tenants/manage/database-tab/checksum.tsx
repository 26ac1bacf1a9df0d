const SHOWN = 12;

/** The beginning of a SHA-256; the tooltip has the whole of it. */
export function Checksum({ sha256 }: { sha256: string }) {
  return (
    <span className="code" title={sha256}>
      {sha256.slice(0, SHOWN)}…
    </span>
  );
}
