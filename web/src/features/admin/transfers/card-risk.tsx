import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { DataItem } from '../../../ui/data-list.tsx';
import { type Tone, ToneBadge } from '../../../ui/tone-badge.tsx';

type CardRisk = NonNullable<AdminTransferView['card_risk']>;

/** What Stripe Radar says of a charge, as items of a list. */
export function CardRiskItems({ risk }: { risk: CardRisk }) {
  const { tone, text } = levels[risk.level ?? ''] ?? unknownLevel;
  const { score, rule, message } = risk;
  const network = risk.network && networks[risk.network];
  // Stripe gives a reason only for what is out of the ordinary; its sentence is in English.
  const why = rule ? t`Regla de Radar: ${rule}` : risk.reason && message;
  return (
    <>
      <DataItem label={t`Riesgo`}>
        <span data-testid="card-risk">
          <ToneBadge tone={tone}>{i18n._(text)}</ToneBadge> {score !== null && t`${score} de 100, según Stripe`}
        </span>
      </DataItem>
      {network && <DataItem label={t`Su banco`}>{i18n._(network)}</DataItem>}
      {why && <DataItem label={t`Por qué`}>{why}</DataItem>}
      {risk.review && <DataItem label={t`En Stripe`}>{i18n._(reviews[risk.review] ?? reviewClosed)}</DataItem>}
    </>
  );
}

const unknownLevel = { tone: 'quiet', text: msg`Sin evaluar` } as const;

const levels: Readonly<Record<string, { tone: Tone; text: MessageDescriptor }>> = {
  normal: { tone: 'good', text: msg`Bajo` },
  elevated: { tone: 'wait', text: msg`Elevado` },
  highest: { tone: 'bad', text: msg`Muy alto` },
};

const networks: Readonly<Record<string, MessageDescriptor>> = {
  approved_by_network: msg`Aprobó el pago`,
  declined_by_network: msg`Rechazó el pago`,
  not_sent_to_network: msg`No se le preguntó: Stripe lo bloqueó antes`,
  reversed_after_approval: msg`Lo aprobó y después lo anuló`,
};

const reviewClosed = msg`Revisión cerrada`;

const reviews: Readonly<Record<string, MessageDescriptor>> = {
  open: msg`Espera que una persona lo revise en el panel de Stripe`,
  approved: msg`Revisado: una persona lo aprobó`,
  refunded: msg`Revisión cerrada: el dinero se devolvió`,
  refunded_as_fraud: msg`Revisado: se devolvió como fraude`,
  disputed: msg`Revisión cerrada: el titular lo disputó`,
  canceled: msg`Revisión cerrada: no se cobró`,
};
