/** What work takes of the processors, in microseconds: unlike a clock it does not count what other processes of the machine take. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
