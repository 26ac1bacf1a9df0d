import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { usePopup } from './use-popup.ts';

interface DropdownProps {
  /** The content that is always visible; a click on it opens and closes the panel. */
  head: ReactNode;
  /** What the head opens; read out before the head's content. */
  headLabel: string;
  hideArrow?: boolean;
  /** The edge of the head with which the panel is aligned. */
  align?: 'start' | 'end';
  className?: string;
  /** Draws the panel; call `close` after a choice. */
  children: (close: () => void) => ReactNode;
}

/** A head that opens a panel below it (SPEC §2.20). For a plain list of actions use `MenuButton`. */
export function Dropdown({ head, headLabel, hideArrow = false, align = 'start', className, children }: DropdownProps) {
  const panelId = useId();
  const { open, close, hostProps, headProps, panelProps } = usePopup(align);
  return (
    <div {...hostProps} className={classNames('dropdown', className)}>
      <button {...headProps} type="button" className="dropdown-head" aria-controls={open ? panelId : undefined}>
        <span className="visually-hidden">{headLabel}</span> {head}
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
