import type { ComponentProps } from 'react';
import { FormPlaceholder } from '../form/form-placeholder.tsx';
import { FormModalFooter } from './form-modal-footer.tsx';
import { Modal, type ModalProps } from './modal.tsx';

interface RecordModalProps
  extends Omit<ModalProps, 'footer' | 'busy'>,
    Omit<ComponentProps<typeof FormModalFooter>, 'mode' | 'saveRefusal'> {
  mode: 'create' | 'edit' | 'view';
  /** Stands in place of the form until there is one. */
  placeholder: ComponentProps<typeof FormPlaceholder>;
}

/** A modal that creates, edits or shows a record. @param children the form; undefined while its choices are loaded */
export function RecordModal({
  mode,
  formId,
  isReady,
  isSaving,
  saveText,
  saveRefusal,
  edit,
  placeholder,
  ...props
}: RecordModalProps) {
  const { children = <FormPlaceholder {...placeholder} />, dirty, ...modal } = props;
  return (
    <Modal
      {...modal}
      dirty={dirty && mode !== 'view'}
      isText={mode === 'view' || saveRefusal !== undefined}
      saveRefusal={mode === 'view' ? undefined : saveRefusal}
      busy={isSaving}
      retry={{ type: 'submit', form: formId }}
      footer={<FormModalFooter {...{ mode, formId, isReady, isSaving, saveText, saveRefusal, edit }} />}
    >
      {children}
    </Modal>
  );
}
