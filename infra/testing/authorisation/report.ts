import { writeFileSync } from 'node:fs';
import { authorisationPage } from './matrix.ts';

/** Command (`npm run authorisation`): writes the authorisation page after a change of routes, live events or roles. */
writeFileSync('docs/authorisation.md', authorisationPage());
