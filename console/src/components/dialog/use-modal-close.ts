import { useContext } from 'react';
import ModalContext from 'react-bootstrap/ModalContext';

/** For a button inside a `Modal`: closes it like the cross, which asks before typed text is lost. */
export const useModalClose = (): (() => void) => useContext(ModalContext).onHide;
