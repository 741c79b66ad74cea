import type { TransferView } from '#core/contracts/http/transfers';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { attentionLabel } from './transfer-labels.ts';

/** A transfer's status as its sender reads it; what waits for the sender, or is owed to them, says so. */
export function TransferBadge({ transfer, size = 'lg' }: { transfer: TransferView; size?: 'md' | 'lg' }) {
  const label = attentionLabel(transfer);
  return <StatusBadge status={transfer.status} size={size} {...(label && { label, tone: 'bad' })} />;
}
