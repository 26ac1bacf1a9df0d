import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { stepsOf } from './guide-steps.ts';
import { pictureOf } from './pictures.ts';
import { TASKS, type TaskName } from './tasks.ts';

interface GuideTaskProps {
  task: TaskName;
  /** Of the heading inside: one below the task's own. */
  heading: 'h2' | 'h4';
  /** The way to another task, with its title. */
  link: (task: TaskName, title: string) => ReactNode;
  /** The way to its screen was taken. */
  onScreen?: () => void;
}

/** A task: what it is for, its steps, a picture, the way to its screen, and what is done beside it. */
export function GuideTask({ task, heading: Heading, link, onScreen }: GuideTaskProps) {
  const { t, i18n } = useTranslation();
  const { screen, related } = TASKS[task];
  const picture = pictureOf(task, i18n.language);
  return (
    <article className="guide-task">
      <p>{t(`guide.tasks.${task}.what`)}</p>
      <ol>
        {stepsOf(t, task).map((parts) => (
          <li key={parts.map(({ text }) => text).join('')}>
            {parts.map(({ text, isControl }) => (isControl ? <b key={text}>{text}</b> : text))}
          </li>
        ))}
      </ol>
      {screen && (
        <Link className="btn btn-secondary" to={screen.path} onClick={onScreen}>
          {t('guide.screen', { screen: t(screen.label) })}
        </Link>
      )}
      {picture && (
        <a href={picture.url} target="_blank" rel="noreferrer">
          <img
            src={picture.url}
            alt={t('guide.picture', { what: t(picture.text) })}
            width={900}
            height={560}
            loading="lazy"
          />
        </a>
      )}
      <section className="guide-related">
        <Heading>{t('guide.related')}</Heading>
        <ul>
          {related.map((name) => (
            <li key={name}>{link(name, t(`guide.tasks.${name}.title`))}</li>
          ))}
        </ul>
      </section>
    </article>
  );
}
