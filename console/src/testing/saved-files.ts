import { onTestFinished, vi } from 'vitest';

/** Collects the files that the running test saves. */
export function keepSavedFiles() {
  const saved: { name: string; content: Blob }[] = [];
  let content = new Blob();
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override createObjectURL(blob: Blob) {
        content = blob;
        return 'blob:saved';
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content });
  });
  return saved;
}
