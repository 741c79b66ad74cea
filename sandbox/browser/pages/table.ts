/** Tables that are drawn again whenever their data changes, without losing the keyboard's place. */
import { build } from '../dom.ts';

export interface Column {
  label: string;
  number?: boolean;
}

export interface RowAction {
  label: string;
  run: () => Promise<void>;
  danger?: boolean;
}

export interface TableRow {
  /** Stays the same for the same thing between two drawings. */
  key: string;
  /** What the row is about, for people who hear only its buttons. */
  name: string;
  cells: (Node | string)[];
  actions?: RowAction[];
}

export type Tone = 'good' | 'wait' | 'bad' | 'none';

export function stateBadge(word: string, tone: Tone): HTMLElement {
  return build('span', { class: 'state', 'data-tone': tone }, word);
}

export function codeText(text: string): HTMLElement {
  return build('code', {}, text);
}

/** Draws the rows into `place`, or the sentence `empty` when there are none. */
export function drawTable(
  place: HTMLElement,
  caption: string,
  columns: Column[],
  rows: TableRow[],
  empty: string,
): void {
  const focused = (document.activeElement as HTMLElement | null)?.dataset.place;
  if (rows.length === 0) {
    place.replaceChildren(build('p', { class: 'empty' }, empty));
    return;
  }
  const withActions = rows.some((row) => row.actions?.length);
  const heads = columns.map(({ label, number }) =>
    build('th', { scope: 'col', class: number ? 'number' : undefined }, label),
  );
  if (withActions) heads.push(build('th', { scope: 'col' }, build('span', { class: 'unseen' }, 'Acciones')));
  const table = build(
    'table',
    { 'aria-label': caption },
    build('thead', {}, build('tr', {}, ...heads)),
    build('tbody', {}, ...rows.map((row) => drawRow(row, columns, withActions))),
  );
  place.replaceChildren(build('div', { class: 'scroll', tabindex: '-1' }, table));
  if (focused) place.querySelector<HTMLElement>(`[data-place="${CSS.escape(focused)}"]`)?.focus();
}

function drawRow(row: TableRow, columns: Column[], withActions: boolean): HTMLElement {
  const cells = row.cells.map((cell, index) => {
    const column = columns[index];
    return build('td', { class: column?.number ? 'number' : undefined, 'data-label': column?.label ?? '' }, cell);
  });
  if (withActions) {
    const buttons = (row.actions ?? []).map((action) => actionButton(action, row));
    cells.push(build('td', { 'data-label': '' }, build('div', { class: 'row' }, ...buttons)));
  }
  return build('tr', { 'data-testid': `row-${row.key}` }, ...cells);
}

function actionButton(action: RowAction, row: TableRow): HTMLButtonElement {
  const button = build(
    'button',
    {
      type: 'button',
      class: action.danger ? 'danger' : undefined,
      'aria-label': `${action.label}: ${row.name}`,
      'data-place': `${row.key}:${action.label}`,
    },
    action.label,
  );
  button.addEventListener('click', () => void action.run());
  return button;
}
