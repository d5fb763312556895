/**
 * Counts the heavy requests this server has in its hands, from the parsed head to the closed response: what an origin feels,
 * whoever stands in front of it. Node announces each request on a diagnostics channel.
 */
import { subscribe } from 'node:diagnostics_channel';
import { heavyArrived, heavyLeft } from './renders';

subscribe('http.server.request.start', ({ request, response }) => {
  if (request.url.startsWith('/heavy/')) {
    heavyArrived();
    response.once('close', heavyLeft);
  }
});
