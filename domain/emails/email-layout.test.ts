import { expect, test } from 'vitest';
import { type EmailContent, renderHtml } from './email-layout.tsx';

const content: EmailContent = {
  locale: 'es',
  subject: 'Tu envío salió',
  greeting: 'Hola, Ana:',
  paragraphs: ['Lo pagamos.', 'Llega hoy.'],
  details: [['Banco', 'Unión']],
  action: 'Ver el envío',
  url: 'https://chasqui.test/dashboard?envio=1&x=2',
  foot: 'Chasqui',
  company: ['Chasqui S. L.'],
};

test('a cached layout shows the texts of the new e-mail, and none of the previous one', async () => {
  const first = await renderHtml(content);
  const other: EmailContent = {
    ...content,
    subject: 'Otro',
    greeting: 'Hola:',
    paragraphs: ['Uno', 'Dos'],
    details: [['Caja', '7']],
  };
  const second = await renderHtml(other);
  for (const text of ['Otro', 'Hola:', 'Uno', 'Dos', 'Caja', '>7<']) expect(second).toContain(text);
  expect(second).not.toMatch(/Tu envío|Ana|Lo pagamos|Unión/);
  expect(await renderHtml(content)).toBe(first);
  expect(first).toContain('href="https://chasqui.test/dashboard?envio=1&amp;x=2"');
});

test('every text of an e-mail is escaped in its HTML', async () => {
  const hostile = `<b a="1" c='2'>&amp;</b> $& $1 \uE0000\uE001 \uE0003\uE001`;
  const escaped = '&lt;b a=&quot;1&quot; c=&#x27;2&#x27;&gt;&amp;amp;&lt;/b&gt; $&amp; $1 \uE0000\uE001 \uE0003\uE001';
  const html = await renderHtml({
    ...content,
    ...{ subject: hostile, greeting: hostile, paragraphs: [hostile, 'x'], details: [[hostile, hostile]] },
    ...{
      action: hostile,
      foot: hostile,
      company: [hostile],
      choose: { label: hostile, url: 'https://chasqui.test/cuenta' },
    },
  });
  expect(html).not.toContain('<b a=');
  // The title and the heading, the preview, and one of each of the others.
  expect(html.split(escaped)).toHaveLength(1 + 11);
});

test.each([
  ['es', 1, 0, false],
  ['es', 3, 4, true],
  ['en', 2, 1, false],
] as const)(
  'an e-mail in %s with %i paragraphs and %i details has no placeholder of the layout left',
  async (locale, paragraphs, details, optional) => {
    const html = await renderHtml({
      ...{ ...content, locale },
      paragraphs: Array.from({ length: paragraphs }, (_, index) => `Parte ${index}.`),
      details: Array.from({ length: details }, (_, index) => [`Etiqueta ${index}`, `Valor ${index}`] as const),
      ...(optional && { choose: { label: 'Elegir', url: 'https://chasqui.test/cuenta' } }),
    });
    expect(html).not.toMatch(/[\uE000-\uE002]/);
    expect(html).toContain(`lang="${locale}"`);
    expect(html.match(/Etiqueta \d/g)?.length ?? 0).toBe(details);
    expect(html.includes('Elegir')).toBe(optional);
  },
);
