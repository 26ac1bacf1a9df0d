import type { CDPSession } from '@playwright/test';

/** What the main thread of a page did, in milliseconds of its processor time, which other processes hardly change. */
export interface Tasks {
  all: number;
  longest: number;
}

/** An event of Chrome's trace; times in microseconds, `tdur` that of the thread's processor time. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** Has each task, and little of what is in it: the one of the developer tools sends seven times as much, and makes the tasks a tenth longer. */
const CATEGORIES = ['toplevel'];
const TASK = 'ThreadControllerImpl::RunTask';

/** Does something in a page, and tells the tasks that its main thread had with it: those of the busiest page of the browser. */
export async function withTasks<T>(cdp: CDPSession, work: () => Promise<T>): Promise<{ done: T; tasks: Tasks }> {
  const events: TraceEvent[] = [];
  const keep = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]));
  cdp.on('Tracing.dataCollected', keep);
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  const done = await work();
  const complete = new Promise((fulfil) => cdp.once('Tracing.tracingComplete', fulfil));
  await cdp.send('Tracing.end');
  await complete;
  cdp.off('Tracing.dataCollected', keep);
  return { done, tasks: tasksOf(events) };
}

function tasksOf(events: TraceEvent[]): Tasks {
  const mainThreads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const pages = mainThreads.map(({ pid, tid }) => {
    const tasks = events.filter((event) => event.name === TASK && event.pid === pid && event.tid === tid);
    const times = tasks.map(({ dur = 0, tdur = dur }) => tdur / 1000);
    return { all: times.reduce((sum, time) => sum + time, 0), longest: Math.max(0, ...times) };
  });
  return pages.toSorted((one, other) => other.all - one.all)[0] ?? { all: 0, longest: 0 };
}
