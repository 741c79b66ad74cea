/** The simulated Moov Watchman: `GET /watchman/v2/search`, with answers in the shape of its version 0.50 and later (`docs/api.yaml`). */
import { type Request, Router } from 'express';
import type { SandboxContext } from '../context.ts';
import { type ApiResponse, respond } from '../server/respond.ts';
import { type ListedPerson, likeness, listedPeople } from './entities.ts';

const knownParameters = ['type', 'name', 'minMatch', 'limit', 'source', 'requestID'];

/** Watchman answers every error with 400, including its own. */
const refused = (message: string): ApiResponse => ({ status: 400, body: { error: message } });

function search({ query }: Request): ApiResponse {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const extra = Object.keys(query).filter((name) => !knownParameters.includes(name));
  if (extra.length > 0) return refused(`extra/unused query parameters in request: ${extra.join(',')}`);
  const [name, type, source] = [text('name').trim(), text('type').toLowerCase(), text('source')];
  const limit = Math.min(Number(text('limit')) || 10, 100);
  const entities = listedPeople
    .filter(({ sourceList }) => type === 'person' && (source === '' || source === sourceList))
    .map((person) => ({ person, match: scoreOf(name, person) }))
    .filter(({ match }) => match >= (Number(text('minMatch')) || 0))
    .sort((a, b) => b.match - a.match)
    .slice(0, limit)
    .map(({ person, match }) => ({ ...entityOf(person), match }));
  // A list without entries is null in Go.
  const body = {
    query: { name, entityType: type, sourceList: 'api-request' },
    entities: entities.length > 0 ? entities : null,
  };
  return { status: 200, body };
}

function scoreOf(name: string, person: ListedPerson): number {
  return Math.max(...[person.name, ...person.altNames].map((known) => likeness(name, known)));
}

function entityOf({ name, altNames, sourceList, sourceID, programs, birthDate, country }: ListedPerson) {
  return {
    ...{ name, entityType: 'person', sourceList, sourceID },
    person: {
      ...{
        name,
        altNames,
        gender: 'unknown',
        birthDate,
        placeOfBirth: '',
        deathDate: null,
        titles: null,
        governmentIDs: null,
      },
    },
    ...{ business: null, organization: null, aircraft: null, vessel: null },
    contact: { emailAddresses: null, phoneNumbers: null, faxNumbers: null, websites: null },
    addresses: [{ line1: '', line2: '', city: '', postalCode: '', state: '', country, latitude: 0, longitude: 0 }],
    ...{ cryptoAddresses: null, affiliations: null, historicalInfo: null, sourceData: null },
    sanctionsInfo: { programs, secondary: false, description: '' },
  };
}

/** The router for `/watchman`. It needs no key, like the real one. */
export function watchmanRouter(context: SandboxContext): Router {
  const router = Router();
  router.get('/v2/search', (request, response) =>
    respond(
      context,
      response,
      {
        ...{ method: request.method, path: request.baseUrl + request.path, idempotencyKey: null },
        execute: (fails) => (fails ? { status: 500, body: '' } : search(request)),
        failure: () => ({ error: 'An injected failure of the sandbox.' }),
      },
      () => {},
    ),
  );
  router.use((_, response) => {
    response.status(404).type('text').send('404 page not found\n');
  });
  return router;
}
