"""The operations of agents as tools (MCP). A call of a tool is a request to this server over HTTP. Knows no store."""
import base64
import http.client
import json
from urllib.parse import quote, unquote

STATED, INITIALIZED = '2026-07-28', ('2025-11-25', '2025-06-18')
INVALID_PARAMS, METHOD_NOT_FOUND, HEADER_MISMATCH = -32602, -32601, -32020
IMAGE, TEXT = 1 << 20, 40000


class Tools:
    def __init__(self, operations, keyed, is_required, has_defect):
        """`operations`: name → method, path with `{parameters}`, schema of the query, schema of the body. `keyed`: names of those
        that take an idempotency key. `is_required`: whether a member of a body with this default is."""
        self.operations, self.keyed, self.is_required, self.B = operations, keyed, is_required, has_defect
        self.last = None

    def arguments(self, name):
        """The names of the arguments, and the required ones."""
        _, path, query, body = self.operations[name]
        in_path = [part[1:-1] for part in path.split('/') if part.startswith('{')]
        members = body.members if body else {}
        required = in_path + [m for m, (_, default) in members.items() if self.is_required(default)]
        keys = ['idempotency_key'] if name in self.keyed else []
        return in_path, [*in_path, *query, *members, *keys], [] if self.B('tool-required-none') else required

    def list(self):
        names = list(self.operations)
        if self.B('tool-list-short'):
            names.pop()
        for name in names:
            _, known, required = self.arguments(name)
            schema = {'type': 'object', 'properties': {argument: {} for argument in known}, 'required': required}
            yield {'name': name, 'description': name.replace('_', ' '), 'inputSchema': schema}

    def answer(self, raw, headers, port):
        """The status and the reply to a message."""
        try:
            message = json.loads(raw)
            method, params, at = message['method'], message.get('params', {}), message.get('id')
        except (ValueError, KeyError, TypeError, AttributeError):
            return 400, {'jsonrpc': '2.0', 'id': None, 'error': {'code': -32700, 'message': 'no message'}}
        if at is None:
            return 202, None
        version = params.get('_meta', {}).get('io.modelcontextprotocol/protocolVersion')
        status, reply = self.reply(method, params, version, headers, port)
        if 'result' in reply and version == STATED and not self.B('tool-result-type-missing'):
            reply['result']['resultType'] = 'complete'
        return status, {'jsonrpc': '2.0', 'id': None if self.B('tool-id-null') else at, **reply}

    def reply(self, method, params, version, headers, port):
        about = {'capabilities': {'tools': {}}, 'instructions': 'Search, post, decide.'}
        if version and headers.get('MCP-Protocol-Version') != version:
            return 400, error(HEADER_MISMATCH, 'the header MCP-Protocol-Version must say the same as the body')
        if method == 'initialize' and not version:
            asked = params.get('protocolVersion')
            agreed = asked if asked in INITIALIZED and not self.B('tool-version-old') else INITIALIZED[-1]
            return 200, {'result': {**about, 'protocolVersion': agreed, 'serverInfo': {'name': 'hitode', 'version': '1'}}}
        if method == 'server/discover' and version:
            return 200, {'result': {**about, 'supportedVersions': [STATED]}}
        if method == 'tools/list':
            return 200, {'result': {'tools': list(self.list())}}
        if method != 'tools/call':
            return 404 if version else 200, error(METHOD_NOT_FOUND, f'no method {method}')
        if params.get('name') not in self.operations:
            if self.B('tool-unknown-empty'):
                return 200, {'result': result('{}', False)}
            return 200, error(INVALID_PARAMS, f'no tool {params.get("name")}')
        return self.call(params['name'], params.get('arguments') or {}, headers, port)

    def call(self, name, given, headers, port):
        method, path, query, body = self.operations[name]
        in_path, known, _ = self.arguments(name)
        sent = {h: v for h, v in headers.items() if h.lower() == 'x-api-key'}
        if self.B('tool-of-another-caller') and self.last:
            sent, self.last = {**self.last}, sent
        else:
            self.last = sent
        if 'X-API-Key' not in sent and headers.get('Authorization', '').startswith('Bearer '):
            sent['X-API-Key'] = headers['Authorization'][7:]
        unknown = [argument for argument in given if argument not in known]
        for argument in in_path:
            path = path.replace(f'{{{argument}}}', quote(text_of(given.get(argument, '')), safe=''))
        pairs = [f'{quote(a, safe="")}={quote(text_of(given[a]), safe="")}' for a in given if a in query and given[a] is not None]
        # A member that the body does not have is named in the error of the request.
        members = {a: v for a, v in given.items() if body and a in body.members or a in unknown}
        if not body:
            pairs += [f'{quote(a, safe="")}=' for a in unknown]
        if self.B('tool-unknown-ignored'):
            members = {a: v for a, v in members.items() if a not in unknown}
        if self.B('tool-query-lost'):
            pairs = []
        if self.B('tool-texts-for-numbers'):
            members = {a: str(v) if isinstance(v, int) and not isinstance(v, bool) else v for a, v in members.items()}
        if given.get('idempotency_key') is not None and name in self.keyed and not self.B('tool-key-lost'):
            sent['Idempotency-Key'] = given['idempotency_key']
        if name == 'list_events' and 'wait' not in given:
            pairs.append('wait=25')
        content = None
        if body:
            content, sent['Content-Type'] = json.dumps(members).encode(), 'application/json'
        connection = http.client.HTTPConnection('127.0.0.1', port)
        try:
            connection.putrequest(method, path + ('?' + '&'.join(pairs) if pairs else ''))
            for header, value in sent.items():
                connection.putheader(header, value.encode('latin-1'))
            if content is not None:
                connection.putheader('Content-Length', str(len(content)))
            connection.endheaders(content)
            response = connection.getresponse()
            data = response.read()
        finally:
            connection.close()
        return self.shown(response, data, path)

    def shown(self, response, data, path):
        if response.status < 400:
            kind = response.getheader('Content-Type')
            if kind != 'application/json':
                return 200, {'result': {'content': [file_of(kind, data, path)], 'isError': False}}
            text = data.decode()
            if self.B('tool-data-only'):
                text = json.dumps(json.loads(text).get('data', {}))
            out = result(text, False)
            for header in response.headers:
                if header.startswith('X-Nearest-') and not self.B('tool-nearest-lost'):
                    names = ', '.join(f'`{unquote(name)}`' for name in response.headers[header].split(','))
                    argument = header.removeprefix('X-Nearest-').lower()
                    out['content'].append(item(f'Nothing has this `{argument}`. Did you mean {names}?'))
            if response.getheader('Idempotent-Replayed') and not self.B('tool-replay-unmarked'):
                out['_meta'] = {'hitode/replayed': True}
            return 200, {'result': out}
        text = json.loads(data)['error']
        if response.status == 401 and not self.B('tool-credential-200'):
            return 401, error(401, text)
        head = '' if self.B('tool-status-missing') else f'{response.status} {response.getheader("X-Error-Code")}: '
        named = [(name, response.getheader(name)) for name in ('Retry-After', 'X-Faults', 'Accept-Encoding')]
        text = head + text + ''.join(f' ({name}: {value})' for name, value in named if value)
        return 200, {'result': result(text, not self.B('tool-error-as-success'))}


def text_of(value):
    """A value as it stands in a path or a query."""
    if isinstance(value, list):
        return ','.join(map(str, value))
    return {True: 'true', False: 'false', None: ''}.get(value, value) if isinstance(value, (bool, type(None))) else str(value)


def error(code, message):
    return {'error': {'code': code, 'message': message}}


def item(text):
    return {'type': 'text', 'text': text}


def result(text, is_error):
    return {'content': [item(text)], 'isError': is_error}


def file_of(kind, data, path):
    if kind.startswith('image/') and len(data) <= IMAGE:
        return {'type': 'image', 'data': base64.b64encode(data).decode(), 'mimeType': kind}
    if kind.startswith('text/') and len(data) <= TEXT:
        return item(data.decode())
    return item(f'The file has {len(data)} bytes of the type {kind}, and is not shown here. Read it with GET {path} and your credential.')
