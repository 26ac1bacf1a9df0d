import { z } from 'zod';
import { databaseSize } from '../../../db/cluster/cluster.ts';
import { allowLogin } from '../../../db/cluster/database-sessions.ts';
import { unlessAway } from '../../../db/clusters.ts';
import { AppError } from '../../../errors.ts';
import { onFurtherServer } from '../../../operations/further-server.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../../plan.ts';
import { placeDatabase } from '../../databaseservers/placement.ts';
import { removeArchive, removeEntryList } from '../backups/archive/archive-store.ts';
import { auditDatabase } from '../database-audit.ts';
import { dropAndUnregister } from '../database-dropping.ts';
import { keptUntil, parkReplaced } from '../database-parking.ts';
import { setSize } from '../database-sizes.repository.ts';
import { type DatabaseRow, findDatabaseById, lockDatabaseRow, setDatabaseState } from '../databases.repository.ts';
import {
  getDatabaseById,
  holdAsFound,
  movedMeanwhile,
  registerDatabase,
  reopenDatabase,
} from '../databases.service.ts';
import { endFollowing, endPublishing } from '../following.ts';
import { type Exchanged, exchangeServers, prepareExchange, takeBackOther, takeBackTarget } from '../server-exchange.ts';
import { endOtherClients, removeMark } from './comparison.repository.ts';
import { askWay, compareCopy, dumpSource, loadCopy } from './copying.ts';
import { chooseServer, planMove, refuseStaying } from './move-plan.ts';
import { bringToEnd, GRACE } from './switching.ts';

/**
 * Moves a database to another server. A copy is made there, whose id is the operation's, and follows its source until the two change places:
 * the database keeps its id, names, role and logins, and the copy's row gets the old rows, which are parked.
 */
export const moveOperation = operationKind({
  name: 'move',
  participle: 'moved to another server',
  input: z.object({
    databaseId: z.string(),
    serverId: z.string().optional(),
    plan: z.string().optional(),
    /** The server that is to be emptied; absent: it leaves the one where it is. */
    leaves: z.string().optional(),
  }),
  steps: [
    { name: 'Preparing', cancellable: true },
    { name: 'Copying', cancellable: true },
    { name: 'Comparing', cancellable: true },
    { name: 'Catching up', cancellable: true },
    { name: 'Switching over', cancellable: false },
  ],
  async prepare(context, { databaseId, serverId: wanted, plan, leaves }, { id }) {
    const row = await getDatabaseById(context.platform, databaseId);
    if (row.state !== 'ready') throw new AppError('not-found');
    if (leaves !== undefined) await refuseStaying(context, row, leaves);
    const serverId = await chooseServer(context, row, wanted);
    const current = await planMove(context, row, serverId);
    for (const server of [row.serverId, serverId]) await context.findTools(server);
    if (plan !== undefined) refuseChangedPlan(plan, current);
    return {
      database: { id: row.id, name: row.name },
      claims: [id, row.id],
      sizeBytes: row.sizeBytes,
      async register(trx) {
        const isTenants = row.tenantId !== null;
        await placeDatabase(trx, { wanted: serverId, isTenants, isCopy: false, leaves: row.serverId });
        await holdAsFound(trx, row);
        const { schemaVersion } = row;
        // Named after its id, as the name is taken. No list shows it.
        const copy = { id, name: id, tenantId: null, copiedFrom: row.id, schemaVersion, serverId };
        await registerDatabase(context, trx, copy);
      },
    };
  },
  async run(run, { databaseId, plan }) {
    const target = await getDatabaseById(run.connection, databaseId);
    const other = await getDatabaseById(run.connection, run.operationId);
    if (areTogether(target, other)) throw movedMeanwhile(target.name);
    try {
      await onFurtherServer(run, other.serverId, async (further) => {
        const exchanged = { target, other, further };
        await clear(run, exchanged);
        await move(run, exchanged, plan);
      });
    } catch (error) {
      // The next run may come only when a server is back: until then nothing waits for it, and no change is kept for it. The run before may
      // have been killed, and left the source so.
      if (await isUnfinished(run)) await releaseSource(run, { target, other }).catch(() => {});
      throw error;
    }
  },
  async undo(run, { databaseId }) {
    const { connection, operationId } = run;
    const target = await findDatabaseById(connection, databaseId);
    const other = await findDatabaseById(connection, operationId);
    if (!target || other?.state !== 'creating') return;
    if (areTogether(target, other)) return dropAndUnregister(run, other, async () => {});
    const isThere = await unlessAway(
      onFurtherServer(run, other.serverId, async (further) => {
        await clear(run, { target, other, further });
        await dropAndUnregister({ connection, cluster: further.cluster }, other, async () => {});
      }),
    );
    // Nobody waits for a server that may never come back. If it does, settling drops the copy.
    if (!isThere) await clearAtSource(run, { target, other });
  },
});

/** Whether the copy of a move would be on the server of its source, where each step would change that in place of the copy. */
const areTogether = (target: DatabaseRow, other: DatabaseRow): boolean => target.serverId === other.serverId;

/**
 * Whether the registry does not know of the switch, and will not. PostgreSQL may be at work on the commit though the run has lost its session: the
 * row is locked until that has ended, and where it does not end in time nothing is known.
 */
const isUnfinished = ({ context, operationId }: Run): Promise<boolean> =>
  context.platform
    .transaction()
    .execute((trx) => lockDatabaseRow(trx, operationId))
    .then(
      (row) => row?.state === 'creating',
      () => false,
    );

async function move(run: Run, exchanged: Exchanged, sentPlan: string | undefined): Promise<void> {
  const { context } = run;
  const { target, other, further } = exchanged;
  await run.step(0);
  const plan = await planMove(context, target, other.serverId, (source) => askWay(run, further, source));
  if (sentPlan !== undefined) refuseChangedPlan(sentPlan, plan);
  const isFollowed = plan.way === 'replication';
  const began = isFollowed ? undefined : performance.now();
  if (!isFollowed) await keepProgramsOut(run, exchanged);
  const dumped = await dumpSource(run, exchanged, isFollowed);
  await loadCopy(run, exchanged, dumped);
  await run.step(2);
  await compareCopy(run, exchanged, dumped);
  await prepareExchange(run, exchanged);
  const heldSince = await bringToEnd(run, exchanged, dumped, began);
  const sizeBytes = await databaseSize(further.cluster, other.physicalName);
  const until = keptUntil(context);
  await exchangeServers(run, exchanged, async (trx) => {
    if (until) await parkReplaced(context, trx, { target, databaseId: other.id, keptUntil: until });
    else await setDatabaseState(trx, other.id, 'creating', 'deleting');
    await setSize(trx, target.id, { sizeBytes, measuredAt: context.now() });
    const { way, fromServer, toServer, databaseServerId } = plan;
    const heldMs = Math.round(performance.now() - heldSince);
    const { id, name } = target;
    await run.succeed(trx, {
      message: `Success! ${name} has been moved to ${toServer}.`,
      result: { id, databaseName: name, databaseServerId, way, heldMs },
    });
    await auditDatabase(run, trx, 'databases.move', id, { name, server: [fromServer, toServer], way, heldMs });
  });
  if (!until) await dropAndUnregister(run, { ...other, serverId: target.serverId }, async () => {});
}

async function keepProgramsOut({ context, cluster }: Run, { target }: Exchanged): Promise<void> {
  await allowLogin(cluster, target.roleName, false);
  await context.tenants.with(target, (client) => endOtherClients(client, GRACE), { unlimited: true });
}

/** Takes back what an earlier run left on both servers, but for the copy itself. Each part may have been taken back, or never done. */
async function clear(run: Run, exchanged: Exchanged): Promise<void> {
  const { context } = run;
  const { target, other, further } = exchanged;
  const names = [other.physicalName, target.physicalName];
  // First, as it would take the slot again.
  await endFollowing(context, further.cluster, other.serverId, names);
  await takeBackOther(exchanged);
  await clearAtSource(run, exchanged);
}

/** The part of {@link clear} that needs nothing of the other server. */
async function clearAtSource(run: Run, exchanged: Ends): Promise<void> {
  const { context, operationId } = run;
  await releaseSource(run, exchanged);
  await removeArchive(context, operationId);
  await removeEntryList(context, operationId);
}

type Ends = Omit<Exchanged, 'further'>;

/** Takes back what is on the server of the source, which is open and free afterwards. */
async function releaseSource(run: Run, { target, other }: Ends): Promise<void> {
  const { context, cluster, operationId } = run;
  await takeBackTarget(run, { target, other });
  await reopenDatabase(cluster, target);
  await endPublishing(context, cluster, target, operationId);
  await context.tenants.with(target, (client) => removeMark(client, operationId), { unlimited: true });
}
