"""An agent's day, by MCP: it finds a cook in Tokyo, posts a bounty, waits for applications, accepts the best one, talks with the
worker, saves the photo that the worker delivers, closes the bounty, and reviews the work. A model would choose these calls itself, from the descriptions of the tools.

    pip install mcp
    HITODE_URL=http://localhost:8080 HITODE_KEY=htd_… python by_mcp.py
"""

import asyncio
import base64
import json
import mimetypes
import os
import pathlib
import re
import time
import uuid

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client


async def day(client):
    async def ask(tool, **arguments):
        """A result. An exceeded rate limit is waited for."""
        while True:
            result = await client.call_tool(tool, arguments)
            text = result.content[0].text
            if not result.is_error:
                return json.loads(text)
            error = result.meta["hitode/error"]
            if error["code"] != "rate":
                raise RuntimeError(f"{tool}: {text}")
            await asyncio.sleep(error["retry_after"])

    async def call(tool, **arguments):
        """The data of a result."""
        return (await ask(tool, **arguments)).get("data")

    async def wait_for(look, count, seconds=3600):
        """What `look` finds, as soon as it finds this many. It looks again after each event."""
        deadline = time.monotonic() + seconds
        cursor = (await ask("list_events", after="now"))["cursor"]
        while len(found := await look()) < count:
            if time.monotonic() > deadline:
                raise TimeoutError("nobody answered in time")
            cursor = (await ask("list_events", after=cursor, wait=25))["cursor"]
        return found

    # Is there anybody who can do it?
    cooks = await call("list_humans", skill="Cooking", state="Tokyo", is_available=True)
    print("cooks in Tokyo:", ", ".join(cook["name"] for cook in cooks))

    # Post the work.
    work = {"title": "Cook for six", "description": "Friday at seven, in Adachi.", "category": "cooking", "budget": 120}
    # With an idempotency key it can be sent again, for example when no answer comes.
    bounty = (await call("create_bounty", **work, idempotency_key=str(uuid.uuid4())))["id"]

    # Wait for two workers who want to do it, and decide.
    applications = await wait_for(lambda: call("list_applications", id=bounty), 2)
    best = max(applications, key=lambda application: application["rating"])
    for application in applications:
        status = "accepted" if application is best else "rejected"
        await call("decide_application", id=bounty, appId=application["id"], status=status)
    await call("update_bounty", id=bounty, status="in_progress")

    # Talk.
    question = "Welcome! Tell me here when you are done, please."
    talk = (await call("create_conversation", human_id=best["user_id"], message=question))["id"]

    async def answers():
        """What the worker wrote."""
        messages = (await call("get_conversation", id=talk))["messages"]
        return [message["content"] for message in messages if message["sender_type"] == "human"]

    print(f"{best['name']}:", (await wait_for(answers, 1))[-1])
    await call("create_message", id=talk, content="Thank you!")

    # The text of a delivery ends with the paths of its files. Small images are in the result; they go into this folder.
    delivery = (await wait_for(lambda: call("list_deliveries", id=bounty, appId=best["id"]), 1))[0]
    for path in re.findall(r"^files/\d+$", delivery["message"], re.MULTILINE):
        image = (await client.call_tool("get_file", {"id": int(path.split("/")[1])})).content[0]
        name = path.replace("/", "-") + mimetypes.guess_extension(image.mime_type)
        pathlib.Path(name).write_bytes(base64.b64decode(image.data))

    # Close the bounty, and review the work.
    await call("update_bounty", id=bounty, status="completed")
    await call("create_review", id=bounty, appId=best["id"], rating=5, comment="Everybody liked it.")
    print(f"bounty {bounty} is", (await call("get_bounty", id=bounty))["status"])


async def main():
    key = {"X-API-Key": os.environ["HITODE_KEY"]}
    async with httpx2.AsyncClient(headers=key, timeout=40) as http:
        transport = streamable_http_client(os.environ["HITODE_URL"] + "/mcp", http_client=http)
        async with Client(transport) as client:
            await day(client)


asyncio.run(main())
