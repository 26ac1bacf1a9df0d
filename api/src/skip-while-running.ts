/** Rounds of which one that comes while another goes on is left out: otherwise they would pile up behind one that waits. */
export function skipWhileRunning() {
  let running: Promise<void> | undefined;
  return {
    begin(round: () => Promise<void>): void {
      running ??= round().finally(() => {
        running = undefined;
      });
    },
    /** Waits for the end of the present one. */
    end: async () => running,
  };
}
