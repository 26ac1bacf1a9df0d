import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keyNames } from '../../lib/key-names.ts';
import { isMac } from '../../lib/page-keys.ts';
import { TOOLS, type Tool } from './tools.ts';

interface ToolbarProps {
  editor: Editor;
  /** Ids of the edited text and of its label. */
  editorId: string;
  labelId: string;
  onLink: () => void;
  /** Absent: the text has no pictures. */
  onPicture: (() => void) | undefined;
}

const WITHOUT_PICTURES = TOOLS.map((group) => group.filter(({ name }) => name !== 'picture'));
/** The editor's tools: one stop for Tab; the arrow keys move between them (WAI-ARIA toolbar). */
export function Toolbar({ editor, editorId, labelId, onLink, onPicture }: ToolbarProps) {
  const groups = onPicture ? TOOLS : WITHOUT_PICTURES;
  const all = groups.flat();
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<Tool['name']>('heading1');
  const states = useEditorState({
    editor,
    selector: ({ editor: current }) =>
      Object.fromEntries(
        all.map(({ name, isOn, isPossible }) => [
          name,
          { pressed: isOn?.(current), disabled: isPossible ? !isPossible(current) : false },
        ]),
      ),
  });

  function handleKeyDown(event: KeyboardEvent) {
    const next = toolForKey(all, event.key, stop);
    if (!next) return;
    event.preventDefault();
    setStop(next.name);
    bar.current?.querySelector<HTMLElement>(`[data-tool="${next.name}"]`)?.focus();
  }
  const button = (tool: Tool) => (
    <ToolButton
      key={tool.name}
      tool={tool}
      {...states[tool.name]}
      isStop={tool.name === stop}
      onFocus={() => setStop(tool.name)}
      onRun={() => (tool.run ? tool.run(editor) : tool.name === 'link' ? onLink() : onPicture?.())}
    />
  );
  return (
    <div
      ref={bar}
      role="toolbar"
      className="rich-text-toolbar"
      aria-label={t('components.richText.toolbar')}
      aria-describedby={labelId}
      aria-controls={editorId}
      onKeyDown={handleKeyDown}
    >
      {groups.map((group) => (
        <div key={group[0]?.name} className="rich-text-tools">
          {group.map(button)}
        </div>
      ))}
    </div>
  );
}

function toolForKey(all: readonly Tool[], key: string, from: Tool['name']): Tool | undefined {
  const index = all.findIndex(({ name }) => name === from);
  if (key === 'ArrowRight') return all[(index + 1) % all.length];
  if (key === 'ArrowLeft') return all.at(index - 1);
  if (key === 'Home') return all[0];
  return key === 'End' ? all.at(-1) : undefined;
}

interface ToolButtonProps {
  tool: Tool;
  pressed?: boolean;
  disabled?: boolean;
  /** Tab stops at this one. */
  isStop: boolean;
  onFocus: () => void;
  onRun: () => void;
}

function ToolButton({ tool, pressed, disabled, isStop, onFocus, onRun }: ToolButtonProps) {
  const { t } = useTranslation();
  const { name, icon: Icon, keys } = tool;
  const label = t(`components.richText.tools.${name}`);
  return (
    <button
      type="button"
      className="icon-button"
      data-tool={name}
      tabIndex={isStop ? 0 : -1}
      aria-label={label}
      title={keys ? `${label} (${keyNames(keys.replace('Control', 'Mod'), t).join('+')})` : label}
      aria-keyshortcuts={isMac() ? keys?.replace('Control', 'Meta') : keys}
      aria-pressed={pressed}
      // Not `disabled`: after undoing the last change the button would lose the focus.
      aria-disabled={disabled || undefined}
      // Keeps the selection in the text.
      onMouseDown={(event) => event.preventDefault()}
      onFocus={onFocus}
      onClick={() => !disabled && onRun()}
    >
      <Icon className="icon" aria-hidden="true" />
    </button>
  );
}
