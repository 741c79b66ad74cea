/** Messages sent by SMTP are read back over the control routes, and refused on demand. */
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createContext } from '../context.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { keepMessage, listMessages, type Message } from './messages.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

afterEach(() => sandbox.close());

const mail = (more: object = {}) =>
  createTransport(`smtp://127.0.0.1:${sandbox.smtpPort}`).sendMail({
    from: 'Chasqui <avisos@chasqui.test>',
    to: 'Lucia@example.com',
    subject: 'La tasa llegó a 13,20 Bs',
    text: 'Hola, Lucía.',
    html: '<p>Hola, <b>Lucía</b>.</p>',
    messageId: '<one@chasqui.test>',
    ...more,
  });

async function messages(query = ''): Promise<Message[]> {
  return (await (await fetch(`${sandbox.url}/sandbox/mail${query}`)).json()).data;
}

const setMode = (body: object) =>
  fetch(`${sandbox.url}/sandbox/mail/mode`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the simulated mailbox', () => {
  it('the simulated mailbox lists received messages newest first and by recipient', async () => {
    await mail();
    await mail({ to: 'otro@example.com', cc: 'tercera@example.com', subject: 'Segundo', html: undefined });
    const [second, first] = await messages();
    expect(first).toMatchObject({
      messageId: '<one@chasqui.test>',
      from: 'Chasqui <avisos@chasqui.test>',
      to: ['Lucia@example.com'],
      subject: 'La tasa llegó a 13,20 Bs',
      text: expect.stringContaining('Hola, Lucía.'),
      html: expect.stringContaining('<b>Lucía</b>'),
    });
    expect(second).toMatchObject({ to: ['otro@example.com', 'tercera@example.com'], html: null });
    expect(await messages('?to=lucia@EXAMPLE.com')).toEqual([first]);
    expect(await messages('?to=nadie@example.com')).toEqual([]);
    expect(await messages('?limit=1')).toEqual([second]);
    expect(Math.abs((first?.receivedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('the simulated mailbox refuses the requested number of messages temporarily or permanently', async () => {
    await setMode({ refuseNext: 1 });
    await expect(mail()).rejects.toMatchObject({ responseCode: 451 });
    await mail();
    await setMode({ refuseNext: 1, refusal: 'permanent' });
    await expect(mail()).rejects.toMatchObject({ responseCode: 550 });
    await mail();
    expect(await messages()).toHaveLength(2);
    expect((await setMode({ refuseNext: -1 })).status).toBe(400);
  });

  it('the simulated mailbox refuses messages over its size limit', async () => {
    await expect(mail({ text: 'x'.repeat(2 * 1024 * 1024) })).rejects.toMatchObject({ responseCode: 552 });
    expect(await messages()).toEqual([]);
  });

  it('the simulated mailbox keeps the newest 200 messages', async () => {
    const context = createContext({});
    const to = ['ana@example.com'];
    for (let number = 0; number < 205; number++)
      keepMessage(context, { to, raw: Buffer.from(`Subject: Mensaje ${number}\r\n\r\nHola`) });
    const kept = await listMessages(context, { limit: 1000 });
    expect(kept).toHaveLength(200);
    expect([kept[0]?.subject, kept.at(-1)?.subject]).toEqual(['Mensaje 204', 'Mensaje 5']);
    context.storage.close();
  });

  it('the simulated mailbox is emptied by a reset', async () => {
    await mail();
    await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST' });
    expect(await messages()).toEqual([]);
  });
});
