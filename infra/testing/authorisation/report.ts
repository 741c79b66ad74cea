import { writeFileSync } from 'node:fs';
import { authorisationPage } from './matrix.ts';

/** Command (`npm run authorisation`): writes the page about who may do what, after a route, live event or role changed. */
writeFileSync('docs/authorisation.md', authorisationPage());
