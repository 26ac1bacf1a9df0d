interface ProgressBarProps {
  /** Accessible name. */
  label: string;
  /** 0 to 100. */
  percent: number;
}

/** The progress of something, from 0 to 100. */
export function ProgressBar({ label, percent }: ProgressBarProps) {
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div className="progress-bar" style={{ width: `${percent}%` }} />
    </div>
  );
}
