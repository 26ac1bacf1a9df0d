/** Replaces Quill's videos, and images that have a web address, by links: no picture from elsewhere is shown. */
export function linkMedia(elements: readonly Element[]): void {
  for (const element of elements) {
    const isVideo = element.localName === 'iframe' && element.classList.contains('ql-video');
    const address = element.getAttribute('src')?.trim() ?? '';
    if ((isVideo || element.localName === 'img') && isOfWeb(address)) element.replaceWith(linkTo(address, element));
  }
}

// Not data:, which is the image itself, and no relative address: it would be relative to another page.
const isOfWeb = (address: string): boolean => ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '');

/** The link for an image or a video. Quill's videos are blocks, so theirs is in a paragraph. */
function linkTo(address: string, medium: Element): Node {
  const document = medium.ownerDocument;
  const text = document.createTextNode(medium.getAttribute('alt')?.trim() || address);
  if (medium.closest('a')) return text;
  const link = document.createElement('a');
  link.setAttribute('href', address);
  link.append(text);
  if (medium.localName === 'img') return link;
  const paragraph = document.createElement('p');
  paragraph.append(link);
  return paragraph;
}
