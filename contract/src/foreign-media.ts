/** Puts links in the place of Quill's videos and of images, whose elements are not allowed, where they have an address. */
export function linkMedia(elements: readonly Element[]): void {
  for (const element of elements) {
    const isVideo = element.localName === 'iframe' && element.classList.contains('ql-video');
    const address = element.getAttribute('src')?.trim() ?? '';
    if ((isVideo || element.localName === 'img') && isOfWeb(address)) element.replaceWith(linkTo(address, element));
  }
}

// Not the bytes themselves (data:), and nothing relative: it would be relative to another page.
const isOfWeb = (address: string): boolean => ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '');

/** What stands in the medium's place; Quill has a video as a block. */
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
