import { t } from '@lingui/core/macro';
import { type MetaFunction, useParams } from 'react-router';
import { Receipt } from '../features/receipt/receipt.tsx';
import { tabTitle } from '../lib/public-meta.ts';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Recibo`) }];

/** The receipt of one of the sender's transfers, to keep or to print. */
export default function ReceiptPage() {
  const { id = '' } = useParams();
  return <Receipt id={id} />;
}
