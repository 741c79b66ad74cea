import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Preview } from '@react-email/preview';
import { render } from '@react-email/render';
import { Text } from '@react-email/text';
import { onOneLine } from '#core/locale/format';
import type { Locale } from '#core/locale/locale';

/** The content of an e-mail, in its reader's language. */
export interface EmailContent {
  readonly locale: Locale;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly details: readonly (readonly [label: string, value: string])[];
  readonly action: string;
  readonly url: string;
  readonly foot: string;
  /** The operator of the installation, one item per line. */
  readonly company: readonly string[];
  /** Link for turning off an optional e-mail. */
  readonly choose?: { readonly label: string; readonly url: string };
}

/** Rendered layouts by shape: HTML pieces, and at odd positions the index of the text that belongs there. */
const layouts = new Map<string, readonly string[]>();

/**
 * The e-mail's HTML: every text is escaped, without images or external resources. React renders a layout once per
 * language and number of paragraphs and details; after that, only the texts are inserted.
 */
export async function renderHtml(content: EmailContent): Promise<string> {
  const { locale, paragraphs, details, company, choose } = content;
  const shape = [locale, paragraphs.length, details.length, company.length, choose !== undefined].join();
  const texts: string[] = [];
  const marked = withTexts(content, (text) => `\uE000${texts.push(escapeHtml(onOneLine(text))) - 1}\uE001`);
  const layout = layouts.get(shape) ?? (await render(<Email {...marked} />)).split(/\uE000(\d+)\uE001\uE002*/);
  layouts.set(shape, layout);
  return layout.map((part, index) => (index % 2 === 0 ? part : texts[Number(part)])).join('');
}

/** Characters of the preview that inboxes show after the subject. */
const previewLength = 150;

interface ShownContent extends EmailContent {
  readonly preview: string;
}

/** The same e-mail with other texts. */
function withTexts(content: EmailContent, put: (text: string) => string): ShownContent {
  const { locale, subject, greeting, paragraphs, details, action, url, foot, company, choose } = content;
  return {
    ...{ locale, subject: put(subject), greeting: put(greeting), paragraphs: paragraphs.map(put) },
    // Padded to its full length, so that mail programs append nothing to it.
    preview: put(paragraphs.join(' ').slice(0, previewLength)).padEnd(previewLength, '\uE002'),
    details: details.map(([label, value]) => [put(label), put(value)] as const),
    ...{ action: put(action), url: put(url), foot: put(foot), company: company.map(put) },
    ...(choose && { choose: { label: put(choose.label), url: put(choose.url) } }),
  };
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  "'": '&#x27;',
};

/** Escapes as React escapes texts and attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/** The logo's bands, as on the pages. */
const bands = ['#c8281e', '#f2b705', '#0b6b43'];
const font = "Figtree, 'Segoe UI', system-ui, -apple-system, Helvetica, Arial, sans-serif";

/** Mail programs that darken e-mails themselves keep these colors; those that support neither show the light ones. */
const darkStyles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page > table > tbody > tr > td { background-color: #0f172a !important; }
    .card { background-color: #162033 !important; border-color: #33425e !important; }
    .ink { color: #e9edf5 !important; }
    .soft { color: #a9b4c8 !important; }
    .line { border-color: #33425e !important; }
    .action { background-color: #5cc98f !important; color: #0a101f !important; }
  }`;

function Email(content: ShownContent) {
  const { locale, subject, preview, greeting, paragraphs, details, action, url, foot, company, choose } = content;
  return (
    <Html lang={locale}>
      <Head>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{darkStyles}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body className="page" style={{ margin: 0, padding: '24px 12px', backgroundColor: '#fbf8f2', fontFamily: font }}>
        <Container
          className="card"
          style={{
            maxWidth: 560,
            backgroundColor: '#ffffff',
            border: '1px solid #e6dfd2',
            borderRadius: 14,
            overflow: 'hidden',
          }}
        >
          <Bands />
          <div style={{ padding: '20px 24px 24px' }}>
            <Text className="ink" style={{ margin: '0 0 20px', fontSize: 20, fontWeight: 800, color: '#14213d' }}>
              Chasqui
            </Text>
            <Heading as="h1" className="ink" style={{ ...ink, margin: '0 0 16px', fontSize: 22, lineHeight: '28px' }}>
              {subject}
            </Heading>
            {[greeting, ...paragraphs].map((text) => (
              <Text key={text} className="ink" style={{ ...ink, margin: '0 0 14px', fontSize: 16, lineHeight: '24px' }}>
                {text}
              </Text>
            ))}
            {details.length > 0 && <Details rows={details} />}
            <Button
              className="action"
              href={url}
              style={{
                marginTop: 10,
                padding: '13px 22px',
                borderRadius: 10,
                backgroundColor: '#0b6b43',
                color: '#ffffff',
                fontSize: 16,
                fontWeight: 600,
              }}
            >
              {action}
            </Button>
            <Hr className="line" style={{ margin: '28px 0 14px', borderColor: '#e6dfd2' }} />
            <Text className="soft" style={{ ...soft, margin: 0 }}>
              {foot}
              {choose && (
                <>
                  {' '}
                  <a className="soft" href={choose.url} style={{ color: '#655f52', textDecoration: 'underline' }}>
                    {choose.label}
                  </a>
                </>
              )}
            </Text>
            {company.map((line) => (
              <Text key={line} className="soft" style={{ ...soft, margin: '8px 0 0' }}>
                {line}
              </Text>
            ))}
          </div>
        </Container>
      </Body>
    </Html>
  );
}

const soft = { color: '#655f52', fontSize: 13, lineHeight: '19px' };
const ink = { color: '#14213d' };

/** Three bands in the logo's colors. */
function Bands() {
  return (
    <table role="presentation" width="100%" cellPadding="0" cellSpacing="0" style={{ borderCollapse: 'collapse' }}>
      <tbody>
        <tr>
          {bands.map((color) => (
            <td key={color} height="5" style={{ height: 5, fontSize: 1, lineHeight: '1px', backgroundColor: color }}>
              &nbsp;
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

/** Labels above their values, so that a long reference or name fits on a phone. */
function Details({ rows }: { rows: EmailContent['details'] }) {
  return (
    <table width="100%" cellPadding="0" cellSpacing="0" style={{ margin: '4px 0 18px', borderCollapse: 'collapse' }}>
      <tbody>
        {rows.map(([label, value]) => (
          <tr key={label}>
            <th
              scope="row"
              className="soft line"
              style={{ ...cell, padding: '9px 12px 9px 0', color: '#655f52', fontWeight: 400, width: '42%' }}
            >
              {label}
            </th>
            <td className="ink line" style={{ ...cell, ...ink, padding: '9px 0', fontWeight: 600 }}>
              {value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const cell = {
  borderTop: '1px solid #e6dfd2',
  fontSize: 15,
  lineHeight: '21px',
  textAlign: 'left',
  verticalAlign: 'top',
  wordBreak: 'break-word',
} as const;
