import { useEffect, useRef, useState } from 'react';
import { SECTIONS, type SectionId } from './form-section.tsx';

/** The section at a line that moves from the box's top to its bottom while the box scrolls. */
const findShown = (box: HTMLElement, sections: HTMLElement[]): SectionId => {
  const range = box.scrollHeight - box.clientHeight;
  const line = box.getBoundingClientRect().top + (range > 0 ? box.scrollTop / range : 0) * box.clientHeight;
  const passed = sections.findLastIndex((section) => section.getBoundingClientRect().top <= line + 1);
  return SECTIONS[Math.max(passed, 0)] ?? SECTIONS[0];
};

const sectionsIn = (form: HTMLElement) => [...form.querySelectorAll<HTMLElement>('[data-section]')];

/**
 * Follows which section of a long form is in view while the dialog's body scrolls.
 * @param ready the sections are mounted
 */
export function useSectionSpy(ready: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const [active, setActive] = useState<SectionId>(SECTIONS[0]);
  // A section chosen by its link stays marked until the user scrolls, even where the form is too short to scroll it to
  // the top.
  const chosen = useRef(false);

  useEffect(() => {
    const box = ready && form.current?.closest<HTMLElement>('.modal-body');
    if (!box) return;
    const follow = () => {
      if (form.current && !chosen.current) setActive(findShown(box, sectionsIn(form.current)));
    };
    const release = () => {
      chosen.current = false;
    };
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    box.addEventListener('scroll', follow, options);
    for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) box.addEventListener(type, release, options);
    return () => stop.abort();
  }, [ready]);

  function goTo(id: SectionId) {
    const section = form.current && sectionsIn(form.current).find((node) => node.dataset.section === id);
    if (!section) return;
    chosen.current = true;
    setActive(id);
    section.scrollIntoView?.({ block: 'start' });
    section.querySelector('legend')?.focus({ preventScroll: true });
  }
  return { form, active, goTo };
}
