import type { Message } from '../../mailbox/messages.ts';
import { build } from '../dom.ts';
import { byId, get, Refresher, SettingsForm, send, timeText } from './control.ts';
import type { SandboxState } from './state.ts';
import { renderTable } from './table.ts';

const COLUMNS = [{ label: 'Asunto' }, { label: 'Para', named: true }, { label: 'Recibido' }];

/** The HTML of a message may not run scripts or load anything; its links open in a new tab. */
const MESSAGE_HEAD = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><base target="_blank">`;

const page = (): Refresher => refresher;
const to = byId<HTMLInputElement>('to');
to.addEventListener('input', () => void page().now());

const mode = new SettingsForm('mode', (form) => {
  const body = { refuseNext: form.number('refuseNext'), refusal: form.text('refusal') };
  return page().act('Fallos del correo guardados.', () => send('PUT', '/sandbox/mail/mode', body));
});

function renderMessages(messages: Message[]): void {
  const rows = messages.map((message) => ({
    key: message.id,
    name: message.subject,
    cells: [build('strong', {}, message.subject), message.to.join(', '), timeText(message.receivedAt)],
    actions: [{ label: 'Leer', run: async () => show(message) }],
  }));
  const empty = to.value === '' ? 'Todavía no llegó ningún correo.' : 'Nadie le escribió a ese destinatario.';
  renderTable(byId('messages'), 'Mensajes', COLUMNS, rows, empty);
}

function show(message: Message): void {
  byId('subject').textContent = message.subject;
  const headers = { De: message.from, Para: message.to.join(', '), Recibido: timeText(message.receivedAt) };
  const lines = Object.entries(headers).map(([name, value]) => [build('dt', {}, name), build('dd', {}, value)]);
  byId('headers').replaceChildren(...lines.flat());
  byId('text').textContent = message.text;
  const frame = build('iframe', {
    class: 'message-html',
    title: `Mensaje: ${message.subject}`,
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    srcdoc: MESSAGE_HEAD + (message.html ?? ''),
  });
  byId('message-html').replaceChildren(...(message.html === null ? [] : [frame]));
  byId('message')
    .querySelector('details')
    ?.toggleAttribute('open', message.html === null);
  byId('message').hidden = false;
  byId('subject').focus();
}

const refresher = new Refresher(async () => {
  const filter = to.value.trim() === '' ? '' : `?to=${encodeURIComponent(to.value.trim())}`;
  const [state, messages] = await Promise.all([
    get<SandboxState>('/sandbox/state'),
    get<{ data: Message[] }>(`/sandbox/mail${filter}`),
  ]);
  mode.show({ ...state.mailMode });
  renderMessages(messages.data);
});
