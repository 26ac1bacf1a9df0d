import { cloneDatabaseForm, type Database } from '@apotheca/contract/databases';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice/notice.tsx';
import type { OperationMutation } from '../../operations/use-operation.tsx';
import { DatabaseNameModal } from './database-name-modal.tsx';
import { useTakenNames } from './use-databases.ts';

/** What every dialog that clones a database is given. */
export interface CloneProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

interface CloneModalProps<Arg, Result> extends CloneProps {
  title: string;
  confirmLabel: string;
  mutation: OperationMutation<Arg, Result>;
  /** The operation's argument for a valid name. */
  argOf: (names: { databaseName: string; copyFrom: string }) => NoInfer<Arg>;
  /** Says what will happen. */
  children: ReactNode;
}

/** Asks for the name of a clone, and says that the sessions of its source are ended. */
export function CloneModal<Arg, Result>({ database, argOf, children, ...props }: CloneModalProps<Arg, Result>) {
  const { t } = useTranslation();
  const taken = useTakenNames();
  const schema = useMemo(() => cloneDatabaseForm(taken), [taken]);
  const copyFrom = database.databaseName;
  return (
    <DatabaseNameModal
      {...props}
      subject={copyFrom}
      label={t('databases.cloning.label')}
      schema={schema}
      argOf={(databaseName) => argOf({ databaseName, copyFrom })}
    >
      {children}
      <Notice tone="warning">{t('databases.cloning.sessions', { name: copyFrom })}</Notice>
    </DatabaseNameModal>
  );
}
