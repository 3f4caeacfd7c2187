// A proxy that adds a key to each request, for programs that cannot send one: `node with-key.mjs URL KEY`. It prints its URL.
import http from 'node:http';

const [url, key] = process.argv.slice(2);
const proxy = http.createServer((request, response) => {
    const headers = [...request.rawHeaders, 'X-API-Key', key];
    const onward = http.request(url, { path: request.url, method: request.method, headers }, answer => {
        response.writeHead(answer.statusCode, answer.rawHeaders);
        answer.pipe(response);
    });
    onward.on('error', error => response.destroy(error));
    request.pipe(onward);
});
proxy.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${proxy.address().port}`));
