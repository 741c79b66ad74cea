import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ComplaintReason, ComplaintWant } from '#core/complaints/complaint';
import type { LetterView } from '#core/contracts/http/complaints';
import type { Route } from '#core/contracts/http/routes';
import { paperAddress } from '../../data/papers.ts';
import { formatMoment } from '../../lib/format/dates.ts';
import { language } from '../../lib/language.ts';

/** What senders report, the most usual first. */
const reasons = {
  not_received: msg`El dinero no llegó`,
  late: msg`Llegó tarde`,
  wrong_amount: msg`Llegó otro monto`,
  wrong_charge: msg`Me cobraron otro monto`,
  computation: msg`Hay un error de cálculo`,
  information: msg`Pido documentos o una explicación`,
  general: msg`Otra queja`,
} as const satisfies Record<ComplaintReason, MessageDescriptor>;

/** What senders want. */
const wants = {
  refund: msg`Que me devuelvan el dinero`,
  delivery: msg`Que mi familia reciba lo que falta`,
  explanation: msg`Una explicación o documentos`,
  other: msg`Lo que escribo`,
} as const satisfies Record<ComplaintWant, MessageDescriptor>;

export const reasonOrder = Object.keys(reasons) as ComplaintReason[];
export const wantOrder = Object.keys(wants) as ComplaintWant[];
export const complaintReasonLabel = (reason: ComplaintReason): string => i18n._(reasons[reason]);
export const complaintWantLabel = (want: ComplaintWant): string => i18n._(wants[want]);

/** The letters of a report, word for word as they were sent; in the reader's language unless another is asked for. */
export function Letters({
  letters,
  pdf,
  shown = language(),
}: {
  letters: readonly LetterView[];
  /** The call that gives a letter as a PDF to who looks. */
  pdf: Route;
  shown?: 'es' | 'en';
}) {
  const count = letters.length;
  return (
    <details data-testid="complaint-letters">
      <summary style={{ cursor: 'pointer', paddingBlock: 10, fontWeight: 600 }}>
        {plural(count, { one: '# carta', other: '# cartas' })}
      </summary>
      <Stack gap="md" mt="xs" lang={shown}>
        {letters.map(({ id, at, texts }) => {
          const text = texts.find((one) => one.language === shown);
          return (
            text && (
              <article key={id} data-testid="complaint-letter">
                <Text fw={600}>{text.subject}</Text>
                <Text fz="sm" c="dimmed" className="cq-num">
                  {formatMoment(at)}
                </Text>
                {text.paragraphs.map((paragraph) => (
                  <Text key={paragraph} fz="sm" mt={4} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                    {paragraph}
                  </Text>
                ))}
                {text.details.map(([label, value]) => (
                  <Text key={label} fz="sm" mt={2} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                    {label}: {value}
                  </Text>
                ))}
                <Group gap="md" mt={4}>
                  <Anchor href={paperAddress(pdf, { id }, 'es')} download fz="sm" data-testid="letter-pdf-es">
                    <Trans>PDF en español</Trans>
                  </Anchor>
                  <Anchor href={paperAddress(pdf, { id }, 'en')} download fz="sm" data-testid="letter-pdf-en">
                    <Trans>PDF en inglés</Trans>
                  </Anchor>
                </Group>
              </article>
            )
          );
        })}
      </Stack>
    </details>
  );
}
