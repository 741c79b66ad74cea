import { useParams } from 'react-router-dom';
import { Receipt } from '../features/receipt/receipt.tsx';

/** The receipt of one of the sender's transfers, to keep or to print. */
export function Component() {
  const { id = '' } = useParams();
  return <Receipt id={id} />;
}
