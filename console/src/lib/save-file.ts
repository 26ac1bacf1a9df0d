/** Lets the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the address after the current task of the event loop.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
