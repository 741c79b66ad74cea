import { t } from '@lingui/core/macro';
import { type MetaFunction, useParams } from 'react-router';
import { Tracking } from '../features/tracking/tracking.tsx';
import { tabTitle } from '../lib/public-meta.ts';

export const meta: MetaFunction = () => [
  { title: tabTitle(t`Seguimiento de un envío`) },
  // Its address is a secret.
  { name: 'robots', content: 'noindex, nofollow' },
  { name: 'referrer', content: 'no-referrer' },
];

/** `/seguimiento/token`: what the family sees of a transfer. */
export default function TrackingPage() {
  const { token = '' } = useParams();
  return <Tracking key={token} token={token} />;
}
