import * as React from 'react';

// React's development build remembers where each element was created, as a stack trace, and beyond 10,000 of them stops doing so:
// a fifth of the time of a component test. Its warnings, which fail a test, come all the same.
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Number.POSITIVE_INFINITY, set: () => {} });

// Without these two React writes no timeline for a browser's developer tools either.
for (const name of ['timeStamp', 'createTask']) Reflect.deleteProperty(console, name);
