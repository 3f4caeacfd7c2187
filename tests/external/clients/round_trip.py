"""A job from its offer to the conversation about it, told with the client that openapi-python-client generates from the
whole document in OpenAPI 3.0. Needs HITODE_URL and HITODE_OPERATOR_TOKEN, and the client in Python's path.
"""

import datetime
import os

from hitode_all_3_0 import AuthenticatedClient, models
from hitode_all_3_0.api.agent import (
    agent_create_bounty, agent_create_conversation, agent_decide_application, agent_get_bounty, agent_get_conversation,
    agent_list_applications, agent_list_humans,
)
from hitode_all_3_0.api.operator import operator_create_account, operator_create_human, operator_create_human_token
from hitode_all_3_0.api.worker import worker_create_application, worker_create_message


def caller(header, credential):
    return AuthenticatedClient(
        base_url=os.environ["HITODE_URL"], token=credential, prefix="", auth_header_name=header, raise_on_unexpected_status=True
    )


def answer(operation, status, **request):
    """What an operation answers, as the type that the document has for this status."""
    response = operation.sync_detailed(**request)
    assert response.status_code == status, (operation.__name__, response)
    return response.parsed


def main():
    operator = caller("X-Operator-Token", os.environ["HITODE_OPERATOR_TOKEN"])
    account = answer(
        operator_create_account, 201, client=operator, body=models.OperatorCreateAccountBody(name="Errands", plan=models.Plan.VERIFIED)
    )
    worker = answer(
        operator_create_human, 201, client=operator,
        body=models.NewHuman(
            name="佐藤 花子", headline="Photographs", bio="", city="Kyoto", state="Kyoto", gender=models.Gender.FEMALE,
            hourly_rate=2800.5, skills=[models.NewSkill(name="Photography", category="Media")],
        ),
    )
    token = answer(operator_create_human_token, 201, client=operator, id=worker.data.id)
    agent = caller("X-API-Key", account.data.key)
    human = caller("X-Worker-Token", token.data.token)

    found = answer(agent_list_humans, 200, client=agent, skill="photography", gender=models.Gender.FEMALE, min_rate=2800.5)
    assert [(one.id, one.name, one.hourly_rate, one.skills) for one in found.data] == [
        (worker.data.id, "佐藤 花子", 2800.5, ["Photography"])
    ], found
    assert (found.total, found.limit, found.offset) == (1, 20, 0), found

    posted = answer(
        agent_create_bounty, 201, client=agent,
        body=models.AgentCreateBountyBody(
            title="A shop front", description="One picture.", budget=49.99, deadline=datetime.date(2031, 2, 28)
        ),
    )
    bounty = answer(agent_get_bounty, 200, client=agent, id=posted.data.id).data
    assert (bounty.budget, bounty.deadline, bounty.estimated_hours) == (49.99, datetime.date(2031, 2, 28), None), bounty
    apply = {"client": human, "id": bounty.id, "body": models.WorkerCreateApplicationBody(message="I am near.")}
    applied = answer(worker_create_application, 201, **apply)
    accept = models.AgentDecideApplicationBody(status=models.Decision.ACCEPTED)
    answer(agent_decide_application, 200, client=agent, id=bounty.id, app_id=applied.data.id, body=accept)
    received = answer(agent_list_applications, 200, client=agent, id=bounty.id).data
    assert [(one.message, one.status) for one in received] == [("I am near.", models.ApplicationStatus.ACCEPTED)], received

    write = models.AgentCreateConversationBody(human_id=worker.data.id, message="Today?")
    opened = answer(agent_create_conversation, 200, client=agent, body=write).data
    answer(worker_create_message, 201, client=human, id=opened.id, body=models.WorkerCreateMessageBody(content="Yes 🙂"))
    read = answer(agent_get_conversation, 200, client=agent, id=opened.id).data
    assert [(one.sender_type, one.content) for one in read.messages] == [
        (models.Sender.AGENT, "Today?"), (models.Sender.HUMAN, "Yes 🙂")
    ], read

    twice = answer(worker_create_application, 400, **apply)
    assert isinstance(twice, models.Error) and twice.error == f"you have already applied to bounty {bounty.id}", twice
    absent = answer(agent_get_bounty, 404, client=agent, id=999)
    assert isinstance(absent, models.Error) and absent.error == "bounty 999 not found", absent
    stranger = answer(agent_get_bounty, 401, client=caller("X-API-Key", "htd_nobody"), id=bounty.id)
    assert stranger.error == "exactly one valid X-API-Key header is required, it is malformed", stranger


main()
print("clients: a round trip with the Python client")
