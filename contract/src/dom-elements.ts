// DOM functions for foreign-markup.ts. The server has a DOM from jsdom, the console from the browser.
/// <reference lib="dom" />

const SHOW_ELEMENT = 1;

// Live collections (children, childNodes, getElementsBy…) are not used here. jsdom builds them again after every change, so the time
// would grow with the square of a text's length.

/** All elements inside one, in document order. */
export function elementsIn(root: Element): Element[] {
  const walker = root.ownerDocument.createTreeWalker(root, SHOW_ELEMENT);
  const elements: Element[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) elements.push(node as Element);
  return elements;
}

/** The elements directly inside one. */
export function childElementsOf(parent: Element): Element[] {
  const children: Element[] = [];
  for (let child = parent.firstElementChild; child; child = child.nextElementSibling) children.push(child);
  return children;
}

/** The nodes directly inside one. */
export function childNodesOf(parent: Node): ChildNode[] {
  const children: ChildNode[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** Moves the content of an element to the end of another one. */
export function moveContent(from: Node, to: Node): void {
  while (from.firstChild) to.appendChild(from.firstChild);
}

/** Replaces an element by its content. */
export function unwrap(element: Element): void {
  while (element.firstChild) element.before(element.firstChild);
  element.remove();
}

export function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE;
}
