import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { QuestionView } from '#core/contracts/http/review-questions';
import type { QuestionCode } from '#core/review/questions';

/** What admins ask a sender in one press, in the reader's language. */
export const questionTexts = {
  purpose: msg`¿Para qué es este envío?`,
  relation: msg`¿Qué relación tienes con quien recibe?`,
  funds_origin: msg`¿De dónde viene el dinero que envías?`,
  card_owner: msg`¿La tarjeta es tuya? Si no, ¿de quién es?`,
  recipient_identity: msg`¿Cuáles son el nombre completo y la fecha de nacimiento de quien recibe?`,
  sender_identity: msg`¿Cuáles son tu fecha y tu lugar de nacimiento?`,
  duplicate: msg`Ya hiciste un envío igual. ¿Quieres enviar dos veces?`,
} as const satisfies Record<QuestionCode, unknown>;

/** A question: the ready-made sentence, and what a person wrote in Spanish as it was typed. */
export function QuestionText({ question: { code, note } }: { question: Pick<QuestionView, 'code' | 'note'> }) {
  return (
    <Text fw={600} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      {code && i18n._(questionTexts[code])}
      {code && note && ' '}
      {note && <span lang="es-BO">{note}</span>}
    </Text>
  );
}
