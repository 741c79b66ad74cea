import type { TransferView } from '#core/contracts/http/transfers';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { attentionLabel, returningLabel } from './transfer-labels.ts';

/** A transfer's status as its sender reads it; what waits for the sender, or is owed to them, says so. */
export function TransferBadge({ transfer, size = 'lg' }: { transfer: TransferView; size?: 'md' | 'lg' }) {
  const attention = attentionLabel(transfer);
  const label = attention ?? returningLabel(transfer);
  return (
    <StatusBadge status={transfer.status} size={size} {...(label && { label })} {...(attention && { tone: 'bad' })} />
  );
}
