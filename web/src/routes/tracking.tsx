import { t } from '@lingui/core/macro';
import { type MetaFunction, useLocation, useParams } from 'react-router';
import { Tracking } from '../features/tracking/tracking.tsx';
import { tabTitle } from '../lib/public-meta.ts';

export const meta: MetaFunction = () => [
  { title: tabTitle(t`Seguimiento de un envío`) },
  // Its address is a secret.
  { name: 'robots', content: 'noindex, nofollow' },
  { name: 'referrer', content: 'no-referrer' },
];

/** `/seguimiento#token`: what the family sees of a transfer. The token stays in the address, which they keep. */
export default function TrackingPage() {
  const { hash } = useLocation();
  const { token = hash.slice(1) } = useParams();
  return <Tracking key={token} token={token} />;
}
