import { dirname, join } from 'node:path';
import { findProgram } from '../client-programs/confinement.ts';
import type { Account } from './cluster-account.ts';
import { PgBackRest } from './pgbackrest.ts';
import { openScratchCluster, type ScratchCluster, type ScratchFiles } from './scratch-cluster.ts';

/** Seconds after which a file of WAL is archived even if it is not full: what is written would else wait for hours. */
const ARCHIVE_TIMEOUT = 60;

/** Where WAL is archived, by the settings. */
export interface WalArchivePlace {
  folder: string;
  /** Of how many days moments can be chosen. */
  days: number;
  passphrase: string;
}

/** The archive of the embedded PostgreSQL's WAL and of backups of the whole cluster. */
export interface WalArchive {
  folder: string;
  days: number;
  /** Absent where pgBackRest is not installed: then nothing is archived. */
  pgBackRest: PgBackRest | undefined;
  /** Starts a second PostgreSQL on restored files. */
  openScratchCluster(files: ScratchFiles, signal: AbortSignal, onReplay: () => void): Promise<ScratchCluster>;
}

interface Cluster {
  dataDir: string;
  account: Account | undefined;
  postgres: string;
}

/** Finds pgBackRest for a cluster. Its configuration is written by who starts PostgreSQL. */
export async function openWalArchive(place: WalArchivePlace, cluster: Cluster): Promise<WalArchive> {
  const { dataDir, account, postgres } = cluster;
  // setpriv(1) is of util-linux: without it a killed server would leave programs behind.
  const program = (await findProgram('setpriv')) && (await findProgram('pgbackrest'));
  const home = join(dirname(dataDir), 'pgbackrest');
  const pgBackRest = program ? new PgBackRest({ ...place, program, home, clusterDir: dataDir, account }) : undefined;
  return {
    folder: place.folder,
    days: place.days,
    pgBackRest,
    openScratchCluster: (files, signal, onReplay) =>
      openScratchCluster({ ...files, postgres, account, superuser: 'postgres' }, signal, onReplay),
  };
}

/** PostgreSQL's settings. Without pgBackRest nothing is archived: WAL that nobody takes away would fill the disk. */
export function archiveSettings(archive: WalArchive | undefined): Record<string, string> {
  if (!archive?.pgBackRest) return {};
  const { archiveCommand } = archive.pgBackRest;
  return { archive_mode: 'on', archive_command: archiveCommand, archive_timeout: String(ARCHIVE_TIMEOUT) };
}
