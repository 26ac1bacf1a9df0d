import { type ReactNode, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../components/field/text-field.tsx';
import { textSearch } from '../../lib/text-search.ts';
import { plainSteps } from './guide-steps.ts';
import { TASK_NAMES, TASKS, type TaskName, TOPICS } from './tasks.ts';

interface GuideListProps {
  /** Of the headings inside: one below that of the guide. */
  heading: 'h2' | 'h3';
  /** The tasks that help on the screen beside, which stand first. */
  here?: readonly TaskName[];
  /** The way to a task, with its title. */
  link: (task: TaskName, title: string) => ReactNode;
}

/** All tasks by what they are about, and the search in all their texts. */
export function GuideList({ heading, here = [], link }: GuideListProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const search = useMemo(() => {
    const texts = TASK_NAMES.map((name) => ({
      name,
      texts: [t(`guide.tasks.${name}.title`), t(`guide.tasks.${name}.what`), ...plainSteps(t, name)],
    }));
    const find = textSearch<(typeof texts)[number]>((task) => task.texts);
    return (words: string) => texts.filter(find(words)).map(({ name }) => name);
  }, [t]);
  const found = search(typed);
  const groups =
    typed.trim() === ''
      ? [
          { title: t('guide.here'), tasks: here },
          ...TOPICS.map((topic) => ({
            title: t(`guide.topics.${topic}`),
            tasks: TASK_NAMES.filter((name) => TASKS[name].topic === topic && !here.includes(name)),
          })),
        ]
      : [{ title: t('guide.found', { count: found.length }), tasks: found }];
  return (
    <div className="guide-list">
      <TextField
        type="search"
        label={t('guide.search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p className="visually-hidden" role="status">
        {typed.trim() !== '' && t('guide.found', { count: found.length })}
      </p>
      {found.length === 0 && <p className="text-muted">{t('guide.nothing')}</p>}
      {groups.map(
        ({ title, tasks }) => tasks.length > 0 && <TaskGroup key={title} {...{ heading, title, tasks, link }} />,
      )}
    </div>
  );
}

interface TaskGroupProps extends Pick<GuideListProps, 'heading' | 'link'> {
  title: string;
  tasks: readonly TaskName[];
}

function TaskGroup({ heading: Heading, title, tasks, link }: TaskGroupProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Heading id={id}>{title}</Heading>
      <ul>
        {tasks.map((name) => (
          <li key={name}>{link(name, t(`guide.tasks.${name}.title`))}</li>
        ))}
      </ul>
    </section>
  );
}
