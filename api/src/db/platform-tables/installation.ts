import type { DefaultedTimestamp } from './timestamps.ts';

export interface InstallationMarks {
  name: string;
  madeAt: DefaultedTimestamp;
}
