import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { usePopup } from './use-popup.ts';

interface DropdownProps {
  /** What is always to be seen; a click on it opens and closes. */
  head: ReactNode;
  /** What the head opens, in words: read out before what it shows. */
  headLabel: string;
  hideArrow?: boolean;
  /** Which edge of the head the panel lines up with. */
  align?: 'start' | 'end';
  className?: string;
  /** Draws the panel; call `close` when something in it was chosen. */
  children: (close: () => void) => ReactNode;
}

/** A head that opens a panel below it (SPEC §2.20). For a plain list of actions take `MenuButton`. */
export function Dropdown({ head, headLabel, hideArrow = false, align = 'start', className, children }: DropdownProps) {
  const panelId = useId();
  const { open, close, hostProps, headProps, panelProps } = usePopup(align);
  return (
    <div {...hostProps} className={classNames('dropdown', className)}>
      <button {...headProps} type="button" className="dropdown-head" aria-controls={open ? panelId : undefined}>
        <span className="visually-hidden">{headLabel}</span>
        {head}
        {!hideArrow && <ChevronDown className="icon dropdown-arrow" aria-hidden="true" />}
      </button>
      {open && (
        <div {...panelProps} id={panelId} className="dropdown-panel">
          {children(close)}
        </div>
      )}
    </div>
  );
}
