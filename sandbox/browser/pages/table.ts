/** Tables that are rendered again on every refresh without losing the focus. */
import { build } from '../dom.ts';

export interface Column {
  label: string;
  number?: boolean;
  /** Shows the label next to the value on phones, which have no header row. */
  named?: boolean;
}

export interface RowAction {
  label: string;
  run: () => Promise<void>;
  danger?: boolean;
}

export interface TableRow {
  /** Identifies the row across renderings. */
  key: string;
  /** Names the row in the accessible names of its buttons. */
  name: string;
  cells: (Node | string)[];
  actions?: RowAction[];
}

export type Tone = 'good' | 'wait' | 'bad' | 'none';

export function stateBadge(label: string, tone: Tone): HTMLElement {
  return build('span', { class: 'state', 'data-tone': tone }, label);
}

export function codeText(text: string): HTMLElement {
  return build('code', {}, text);
}

/** Renders the rows into `place`, or the text `empty` when there are none. */
export function renderTable(
  place: HTMLElement,
  caption: string,
  columns: Column[],
  rows: TableRow[],
  empty: string,
): void {
  const focused = (document.activeElement as HTMLElement | null)?.dataset.focusKey;
  if (rows.length === 0) {
    place.replaceChildren(build('p', { class: 'empty' }, empty));
    return;
  }
  const withActions = rows.some((row) => row.actions?.length);
  const heads = columns.map(({ label, number }) =>
    build('th', { scope: 'col', role: 'columnheader', class: number ? 'number' : undefined }, label),
  );
  if (withActions)
    heads.push(build('th', { scope: 'col', role: 'columnheader' }, build('span', { class: 'unseen' }, 'Acciones')));
  const table = build(
    'table',
    // Explicit roles, because the phone layout's display values would remove them.
    { 'aria-label': caption, role: 'table' },
    build('thead', { role: 'rowgroup' }, build('tr', { role: 'row' }, ...heads)),
    build('tbody', { role: 'rowgroup' }, ...rows.map((row) => renderRow(row, columns, withActions))),
  );
  place.replaceChildren(build('div', { class: 'scroll', tabindex: '-1' }, table));
  if (focused) place.querySelector<HTMLElement>(`[data-focus-key="${CSS.escape(focused)}"]`)?.focus();
}

function renderRow(row: TableRow, columns: Column[], withActions: boolean): HTMLElement {
  const cells = row.cells.map((cell, index) => {
    const column = columns[index];
    const name = column?.named ? column.label : undefined;
    return build('td', { role: 'cell', class: column?.number ? 'number' : undefined, 'data-name': name }, cell);
  });
  if (withActions) {
    const buttons = (row.actions ?? []).map((action) => actionButton(action, row));
    cells.push(build('td', { role: 'cell', class: 'actions' }, build('div', { class: 'row' }, ...buttons)));
  }
  return build('tr', { role: 'row', 'data-testid': `row-${row.key}` }, ...cells);
}

function actionButton(action: RowAction, row: TableRow): HTMLButtonElement {
  const button = build(
    'button',
    {
      type: 'button',
      class: action.danger ? 'danger' : undefined,
      'aria-label': `${action.label}: ${row.name}`,
      'data-focus-key': `${row.key}:${action.label}`,
    },
    action.label,
  );
  button.addEventListener('click', () => void action.run());
  return button;
}
