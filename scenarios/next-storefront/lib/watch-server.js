/**
 * Counts what this server has in its hands: each request, the redirects that its router is answered with, and the heavy
 * requests from the parsed head to the closed response, which is what an origin feels, whoever stands in front of it. Node
 * announces each request on a diagnostics channel.
 */
import { subscribe } from 'node:diagnostics_channel';
import { countRequest, countRscRedirect, heavyArrived, heavyLeft } from './renders';

subscribe('http.server.request.start', ({ request, response }) => {
  countRequest(request.url);
  if (request.headers.rsc !== undefined) {
    response.once('close', () => response.statusCode === 307 && countRscRedirect());
  }
  if (request.url.startsWith('/heavy/')) {
    heavyArrived();
    response.once('close', heavyLeft);
  }
});
