// Three buttons, one for each thing a game can tell Kit. Put it on any object of a scene and press Play.
using System;
using Kit;
using UnityEngine;

/// <summary>Shows Kit's three operations. Each call returns at once, whether a launcher runs or not.</summary>
[AddComponentMenu("Kit/Three Operations")]
public sealed class ThreeOperations : MonoBehaviour
{
    private void OnGUI()
    {
        if (GUILayout.Button("A clip")) KitSDK.Recording.TriggerEvent("mygame_boss_defeated");
        if (GUILayout.Button("An error report")) ReportAnError();
        if (GUILayout.Button("A post")) KitSDK.Social.TriggerEvent("mygame_all_stars");
    }

    private static void ReportAnError()
    {
        try
        {
            throw new InvalidOperationException("The save file is damaged");
        }
        catch (InvalidOperationException error)
        {
            KitSDK.Monitor.ReportError(error.Message, error.StackTrace);
        }
    }
}
